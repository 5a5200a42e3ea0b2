-- What Supabase's Storage keeps in the database, as far as policies and a sync ask for it. It is run
-- before the SQL that fichero prints, whose last part adds its policies.
DO $$ BEGIN CREATE ROLE anon NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE authenticated NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
CREATE SCHEMA storage;
GRANT USAGE ON SCHEMA storage TO authenticated, anon;
CREATE TABLE storage.buckets (id text PRIMARY KEY, name text NOT NULL UNIQUE, created_at timestamptz DEFAULT now());
CREATE TABLE storage.objects (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), bucket_id text REFERENCES storage.buckets (id), name text, owner uuid,
    metadata jsonb, created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), UNIQUE (bucket_id, name));
ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON storage.objects TO authenticated;
GRANT SELECT ON storage.buckets TO authenticated;
CREATE FUNCTION storage.foldername(name text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT parts[1:array_length(parts, 1) - 1] FROM string_to_array(name, '/') AS parts
$$;
