internal import GRDB

/// The tables of the pipeline itself, equal in every pack. They are not synced and have no views by
/// project.
package enum ProgramTables {
    /// `PRAGMA user_version`: grows with every change to these tables or to the system columns.
    static let version = 14
    /// `PRAGMA application_id`: "FICH".
    static let applicationID: Int32 = 0x4649_4348

    static let creation = [
        // Properties of this replica: keys as in `ReplicaKey`.
        """
        CREATE TABLE fichero_replica (
          key TEXT PRIMARY KEY NOT NULL,
          value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Time of each write by the machine's clock, whatever the clock of its run. Rows, queue
        // items and log entries contain the write's number.
        """
        CREATE TABLE fichero_writes (
          stamp INTEGER PRIMARY KEY,
          written_at TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE pipeline_runs (
          id TEXT PRIMARY KEY NOT NULL,
          command TEXT NOT NULL,
          job TEXT,
          actor_id TEXT,
          environment TEXT NOT NULL,
          as_of TEXT NOT NULL,
          started_at TEXT NOT NULL,
          finished_at TEXT,
          state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'interrupted')),
          exit_code INTEGER,
          pid INTEGER NOT NULL,
          selection TEXT,
          summary TEXT,
          log TEXT,
          pack INTEGER
        ) STRICT
        """,
        PinnedPack.table, LogChain.table,
        "CREATE INDEX ix_pipeline_runs_started_at ON pipeline_runs (started_at)",
        "CREATE INDEX ix_pipeline_runs_running ON pipeline_runs (id) WHERE state = 'running'",
        // The files of each run, so that a later run can clean up or continue after a kill.
        """
        CREATE TABLE run_outputs (
          run_id TEXT NOT NULL REFERENCES pipeline_runs (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          step INTEGER NOT NULL,
          temporary_path TEXT NOT NULL,
          final_path TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('planned', 'written', 'renamed', 'registered')),
          PRIMARY KEY (run_id, step, final_path)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE imports (
          id TEXT PRIMARY KEY NOT NULL,
          run_id TEXT,
          source TEXT NOT NULL,
          sha256 TEXT,
          format TEXT NOT NULL,
          started_at TEXT NOT NULL,
          finished_at TEXT NOT NULL,
          counts TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX ix_imports_started_at ON imports (started_at)",
        // The quarantine: rows that could not be imported, as they were in their file.
        """
        CREATE TABLE rejects (
          id TEXT PRIMARY KEY NOT NULL,
          import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          entity TEXT,
          raw TEXT NOT NULL,
          place TEXT NOT NULL,
          findings TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'corrected', 'dismissed')),
          created_at TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX ix_rejects_import_id ON rejects (import_id)",
        // Makes it fast to check whether a row that is rejected repeatedly is already stored.
        "CREATE INDEX ix_rejects_open ON rejects (raw) WHERE state = 'open'",
        // For some rejected rows: the rejected row of the missing record, and the values that
        // neighbouring rows supplied.
        """
        CREATE TABLE reject_details (
          reject_id TEXT PRIMARY KEY NOT NULL REFERENCES rejects (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          waits_for TEXT,
          around TEXT
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX ix_reject_details_waits_for ON reject_details (waits_for) WHERE waits_for IS NOT NULL",
        // Sequential numbers assigned to records for a client. A number is never reassigned, even
        // after its row was deleted.
        """
        CREATE TABLE export_numbers (
          numbering TEXT NOT NULL,
          project_id TEXT NOT NULL,
          row_id TEXT NOT NULL,
          number INTEGER NOT NULL,
          PRIMARY KEY (numbering, row_id),
          UNIQUE (numbering, project_id, number)
        ) STRICT, WITHOUT ROWID
        """,
        // Records that Fichero itself moved to the exported state, with the previous state and the
        // run.
        """
        CREATE TABLE own_marks (
          entity TEXT NOT NULL,
          row_id TEXT NOT NULL,
          from_state TEXT NOT NULL,
          to_state TEXT NOT NULL,
          run_id TEXT,
          actor_id TEXT,
          marked_at TEXT NOT NULL,
          PRIMARY KEY (entity, row_id)
        ) STRICT, WITHOUT ROWID
        """,
        // The records of the last delivery on each line, with their names at that time.
        """
        CREATE TABLE line_records (
          project_id TEXT NOT NULL,
          line TEXT NOT NULL,
          export_name TEXT NOT NULL,
          record_id TEXT NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (project_id, line, export_name, record_id)
        ) STRICT, WITHOUT ROWID
        """,
        // The findings of the last validations, to distinguish new findings and fixed ones.
        """
        CREATE TABLE run_findings (
          run_id TEXT NOT NULL REFERENCES pipeline_runs (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          fingerprint TEXT NOT NULL,
          n INTEGER NOT NULL,
          code TEXT NOT NULL,
          severity TEXT NOT NULL,
          project_id TEXT,
          tbl TEXT,
          row_id TEXT,
          key TEXT,
          field TEXT,
          arguments TEXT NOT NULL,
          spot TEXT,
          PRIMARY KEY (run_id, fingerprint, n)
        ) STRICT, WITHOUT ROWID
        """,
        // Acceptances of findings; stored even after withdrawal or expiry.
        """
        CREATE TABLE finding_acceptances (
          id TEXT PRIMARY KEY NOT NULL,
          fingerprint TEXT NOT NULL,
          arguments TEXT NOT NULL,
          code TEXT NOT NULL,
          project_id TEXT,
          tbl TEXT,
          row_id TEXT,
          key TEXT,
          field TEXT,
          reason TEXT NOT NULL,
          actor_id TEXT NOT NULL,
          actor TEXT NOT NULL,
          accepted_at TEXT NOT NULL,
          until TEXT NOT NULL,
          withdrawn_at TEXT
        ) STRICT
        """,
        """
        CREATE INDEX ix_finding_acceptances_fingerprint ON finding_acceptances (fingerprint) \
        WHERE withdrawn_at IS NULL
        """,
        // Data of an import for undoing it and for finding the origin of values.
        """
        CREATE TABLE import_details (
          import_id TEXT PRIMARY KEY NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          stamp INTEGER NOT NULL,
          actor_id TEXT,
          policy TEXT NOT NULL,
          reason TEXT,
          exports INTEGER NOT NULL,
          undone_at TEXT,
          undone_by TEXT
        ) STRICT, WITHOUT ROWID
        """,
        // How an import read its source, if retrying its rejected rows needs that for look-ups.
        """
        CREATE TABLE import_readings (
          import_id TEXT PRIMARY KEY NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          reading TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // The files, and sheets within them, that imports read. Rows have the number in their
        // column import_source.
        """
        CREATE TABLE import_sources (
          number INTEGER PRIMARY KEY,
          import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          file TEXT,
          sha256 TEXT,
          sheet TEXT
        ) STRICT
        """,
        "CREATE INDEX ix_import_sources_import_id ON import_sources (import_id)",
        // Existing rows that an import changed, with the previous values.
        """
        CREATE TABLE import_changes (
          entity TEXT NOT NULL,
          row_id TEXT NOT NULL,
          import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          kind TEXT NOT NULL CHECK (kind IN ('update', 'conflict', 'photo', 'retry')),
          source INTEGER,
          row INTEGER,
          before TEXT NOT NULL,
          states TEXT NOT NULL,
          item_id TEXT,
          PRIMARY KEY (entity, row_id, import_id, kind)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX ix_import_changes_import_id ON import_changes (import_id)",
        // Rows as the remote last confirmed them, stored at their first local change or conflict.
        """
        CREATE TABLE row_bases (
          entity TEXT NOT NULL,
          row_id TEXT NOT NULL,
          row TEXT NOT NULL,
          import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          PRIMARY KEY (entity, row_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX ix_row_bases_import_id ON row_bases (import_id)",
        // The same for first changes that Fichero itself makes, without a change set. If a row is
        // in both tables, own_bases takes precedence.
        """
        CREATE TABLE own_bases (
          entity TEXT NOT NULL,
          row_id TEXT NOT NULL,
          row TEXT NOT NULL,
          PRIMARY KEY (entity, row_id)
        ) STRICT, WITHOUT ROWID
        """,
        // The position reached in a central database's changes of a table, for one person in one
        // role. `scope` is a project's id; empty: rows without a project, or all rows.
        """
        CREATE TABLE sync_cursors (
          remote TEXT NOT NULL,
          actor_id TEXT NOT NULL,
          role TEXT NOT NULL,
          scope TEXT NOT NULL,
          entity TEXT NOT NULL,
          snapshot TEXT NOT NULL,
          system TEXT NOT NULL,
          timeline TEXT NOT NULL,
          pulled_at TEXT NOT NULL,
          PRIMARY KEY (remote, actor_id, role, scope, entity)
        ) STRICT, WITHOUT ROWID
        """,
        // Queue items that the central database refused: number of refusals since the row's last
        // change; times of first and last refusal by the run's clock; end of the wait; the last
        // write before the refused attempt.
        """
        CREATE TABLE push_waits (
          item_id TEXT PRIMARY KEY NOT NULL,
          failures INTEGER NOT NULL,
          failed_at TEXT NOT NULL,
          tried_at TEXT NOT NULL,
          due_at TEXT NOT NULL,
          stamp INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Queue items sent to a remote that replies later, until they are acknowledged. The file
        // that contains the item and its creation and upload times are null until they are known.
        """
        CREATE TABLE sent_items (
          item_id TEXT PRIMARY KEY NOT NULL,
          remote TEXT NOT NULL,
          project_id TEXT NOT NULL,
          file TEXT,
          made_at TEXT,
          sent_at TEXT
        ) STRICT, WITHOUT ROWID
        """,
        // Files from the sync partner that were imported, identified by name, size and modification
        // time, so that no file is read twice.
        """
        CREATE TABLE received_files (
          stamp TEXT PRIMARY KEY NOT NULL,
          sha256 TEXT NOT NULL,
          received_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Unfinished uploads in pieces, so that a later run continues where a killed run stopped.
        // The server decides how long an upload's address is valid.
        """
        CREATE TABLE file_uploads (
          remote TEXT NOT NULL,
          place TEXT NOT NULL,
          sha256 TEXT NOT NULL,
          address TEXT NOT NULL,
          begun_at TEXT NOT NULL,
          PRIMARY KEY (remote, place)
        ) STRICT, WITHOUT ROWID
        """,
        // Rows imported from a file with sync states, until a query shows whether a central
        // database has them (`UnverifiedRemoteRows`).
        """
        CREATE TABLE row_claims (
          entity TEXT NOT NULL,
          row_id TEXT NOT NULL,
          PRIMARY KEY (entity, row_id)
        ) STRICT, WITHOUT ROWID
        """,
        // Erased people: HMACs, with the replica's key, of ids and of values that belong to one
        // person alone (`ErasedPeople`). They contain no personal data.
        """
        CREATE TABLE erased_marks (
          mark TEXT PRIMARY KEY NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Complete rows that a change removed, parts before their owners; `item_id` is the queue
        // item of the removal.
        """
        CREATE TABLE import_removals (
          import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          n INTEGER NOT NULL,
          entity TEXT NOT NULL,
          row_id TEXT NOT NULL,
          row TEXT NOT NULL,
          states TEXT NOT NULL,
          item_id TEXT,
          PRIMARY KEY (import_id, n)
        ) STRICT, WITHOUT ROWID
        """,
        // The findings of the last validations, so that the next validation only checks changes.
        // This is a cache: without it everything is checked once more. `key` identifies the rules,
        // the program and the access rights; `stamp` and `touched` identify the last change that
        // the verdict covers.
        """
        CREATE TABLE kept_verdicts (
          id INTEGER PRIMARY KEY,
          key TEXT NOT NULL UNIQUE,
          generation TEXT NOT NULL,
          used INTEGER NOT NULL,
          stamp INTEGER NOT NULL,
          touched INTEGER NOT NULL
        ) STRICT
        """,
        // The completed checks; `day` is set for checks that depend on the date.
        """
        CREATE TABLE kept_checks (
          verdict INTEGER NOT NULL REFERENCES kept_verdicts (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          name TEXT NOT NULL,
          day TEXT,
          PRIMARY KEY (verdict, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE kept_findings (
          verdict INTEGER NOT NULL REFERENCES kept_verdicts (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          name TEXT NOT NULL,
          row_id TEXT NOT NULL,
          n INTEGER NOT NULL,
          code TEXT NOT NULL,
          severity TEXT NOT NULL,
          tbl TEXT NOT NULL,
          field TEXT,
          arguments TEXT NOT NULL,
          spot TEXT,
          PRIMARY KEY (verdict, name, row_id, n)
        ) STRICT, WITHOUT ROWID
        """,
        // The stamps of photo files at the time when they were opened.
        """
        CREATE TABLE kept_files (
          verdict INTEGER NOT NULL REFERENCES kept_verdicts (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          name TEXT NOT NULL,
          row_id TEXT NOT NULL,
          path TEXT NOT NULL,
          stamp TEXT NOT NULL,
          PRIMARY KEY (verdict, name, row_id)
        ) STRICT, WITHOUT ROWID
        """,
        // Changes that content stamps do not show (`TouchedRows`): changed rows, and, with a
        // field's name, former references of rows. The last entry is never deleted, so that
        // numbers only grow.
        """
        CREATE TABLE touched_rows (
          n INTEGER PRIMARY KEY,
          entity TEXT NOT NULL,
          field TEXT NOT NULL,
          row_id TEXT NOT NULL
        ) STRICT
        """,
    ]
}
