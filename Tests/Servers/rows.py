"""PostgREST 12, as far as a sync asks it: tables and functions, filters, preferences, counts and the
row cap that cuts in silence. PostgreSQL itself makes the JSON, so that numbers come as they are."""

import json
import re

from database import Refusal

OPERATORS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
EMBEDDED = re.compile(r"(\w+)!(\w+)!inner\((.*)\)")
SPECIAL = {"select", "order", "limit", "offset", "on_conflict", "columns"}


def name(text):
    """A name within SQL."""
    return '"' + text.replace('"', '""') + '"'


def split(text):
    """Splits a list at its commas, but not within brackets or quotes."""
    parts, depth, is_quoted, part = [], 0, False, ""
    for character in text:
        if character == '"':
            is_quoted = not is_quoted
        if not is_quoted:
            depth += (character == "(") - (character == ")")
        if character == "," and depth == 0 and not is_quoted:
            parts.append(part)
            part = ""
        else:
            part += character
    return [*parts, part] if part or parts else []


def condition(column, text, values, row="t"):
    """One filter: `eq.5`, `not.is.null`, `in.(a,b)`."""
    operator, _, value = text.partition(".")
    if operator == "not":
        return f"NOT ({condition(column, value, values, row)})"
    if operator == "is":
        if value not in ("null", "true", "false", "unknown"):
            raise Refusal(400, "PGRST100", f'"failed to parse filter ({text})"')
        return f"{row}.{name(column)} IS {value}"
    if operator == "in":
        items = [item.strip('"') for item in split(value[1:-1])]
        values.extend(items)
        return f"{row}.{name(column)} IN ({', '.join(['%s'] * len(items))})" if items else "false"
    if operator not in OPERATORS:
        raise Refusal(400, "PGRST100", f'"failed to parse filter ({text})"')
    values.append(value)
    return f"{row}.{name(column)} {OPERATORS[operator]} %s"


def tree(word, text, values):
    """`or=(a.eq.1,and(b.gt.2,c.is.null))`"""
    parts = []
    for part in split(text[1:-1]):
        nested = re.fullmatch(r"(not\.)?(and|or)(\(.*\))", part, re.DOTALL)
        if nested:
            inner = tree(nested[2], nested[3], values)
            parts.append(f"NOT {inner}" if nested[1] else inner)
        else:
            column, _, rest = part.partition(".")
            if rest.split(".", 1)[-1].startswith('"'):
                operator, _, value = rest.partition(".")
                rest = f"{operator}.{value[1:-1]}"
            parts.append(condition(column, rest, values))
    return "(" + f" {word.upper()} ".join(parts) + ")"


def filters(query, values, reserved=()):
    """The conditions of a query."""
    parts = []
    for key, value in query:
        if key in SPECIAL or key in reserved or "." in key:
            continue
        parts.append(tree(key, value, values) if key in ("or", "and") else condition(key, value, values))
    parts += embedded(dict(query).get("select", ""), query, values)
    return " AND ".join(parts) or "true"


def embedded(text, query, values, row="t", path=""):
    """The conditions of rows that are embedded and must be there: `owner!owner_id!inner(id)`, with filters such as
    `owner.code=eq.5`."""
    conditions = []
    for part in split(text):
        found = EMBEDDED.fullmatch(part)
        if not found:
            continue
        table, reference, inner = found.groups()
        (alias, own) = (row + "e", f"{path}{table}.")
        rules = [f"{alias}.id = {row}.{name(reference)}"]
        rules += [condition(key[len(own):], value, values, alias) for key, value in query if key.startswith(own) and "." not in key[len(own):]]
        rules += embedded(inner, query, values, alias, own)
        conditions.append(f"EXISTS (SELECT FROM public.{name(table)} AS {alias} WHERE {' AND '.join(rules)})")
    return conditions


def selected(query):
    """The columns of `select`, with casts."""
    text = dict(query).get("select", "*")
    columns = []
    for part in split(text):
        if part == "*":
            columns.append("t.*")
            continue
        found = EMBEDDED.fullmatch(part)
        if found:
            columns.append(f"json_build_object('id', t.{name(found[2])}) AS {name(found[1])}")
            continue
        column, _, cast = part.partition("::")
        alias, _, renamed = column.rpartition(":")
        if alias:
            columns.append(f"t.{name(renamed)} AS {name(alias)}")
            continue
        if cast and not re.fullmatch(r"[a-z0-9_]+", cast):
            raise Refusal(400, "PGRST100", "cast")
        columns.append(f"t.{name(column)}" + (f"::{cast} AS {name(column)}" if cast else ""))
    return ", ".join(columns)


def order(query):
    """ORDER BY, or nothing."""
    text = dict(query).get("order")
    if not text:
        return ""
    keys = []
    for part in text.split(","):
        column, *words = part.split(".")
        keys.append(f"t.{name(column)}" + (" DESC" if "desc" in words else ""))
    return " ORDER BY " + ", ".join(keys)


def answer(server, method, path, query, headers, body, claims):
    """Answers a request for a table or a function."""
    profile = headers.get("Accept-Profile" if method in ("GET", "HEAD") else "Content-Profile", "public")
    if profile not in server.schemas:
        raise Refusal(406, "PGRST106", f"The schema must be one of the following: {', '.join(server.schemas)}")
    preferences = [part.strip() for part in headers.get("Prefer", "").split(",")]
    with server.database.asking(claims, read_only=method in ("GET", "HEAD")) as cursor:
        if path.startswith("rpc/"):
            return called(server, cursor, method, profile, path[4:], query, preferences, body)
        if method in ("GET", "HEAD"):
            values = []
            where = filters(query, values)
            return read(server, cursor, f"{profile}.{name(path)}", where, values, query, preferences, headers, method)
        return written(server, cursor, method, f"{profile}.{name(path)}", query, preferences, body)


def read(server, cursor, source, where, values, query, preferences, headers, method, source_values=()):
    """Rows of a table or a function, in the server's own limits."""
    options = dict(query)
    limit, offset = int(options.get("limit", server.cap)), int(options.get("offset", 0))
    ranged = re.fullmatch(r"(\d+)-(\d*)", headers.get("Range", "")) if headers else None
    if ranged:
        offset = int(ranged[1])
        limit = int(ranged[2]) - offset + 1 if ranged[2] else limit
    # More than the cap never comes, and nobody is told.
    limit = min(limit, server.cap)
    total = None
    if "count=exact" in preferences:
        cursor.execute(f"SELECT count(*) FROM {source} AS t WHERE {where}", [*source_values, *values])
        total = cursor.fetchone()[0]
        if offset > total:
            raise Refusal(416, "PGRST103", "Requested range not satisfiable", f"An offset of {offset} was requested, but there are only {total} rows.",
                          headers={"Content-Range": f"*/{total}"})
    cursor.execute(
        f"SELECT coalesce(json_agg(r), '[]')::text, count(*) FROM (SELECT {selected(query)} FROM {source} AS t WHERE {where}{order(query)} LIMIT {limit} OFFSET {offset}) AS r",
        [*source_values, *values])
    text, count = cursor.fetchone()
    span = f"{offset}-{offset + count - 1}" if count else "*"
    status = 206 if total is not None and count < total else 200
    return status, text.encode(), {"Content-Range": f"{span}/{'*' if total is None else total}"}


def called(server, cursor, method, profile, function, query, preferences, body):
    """A function with named arguments."""
    cursor.execute(
        """SELECT p.proretset, t.typtype, p.proargnames, p.proargtypes::oid[], p.provolatile, (SELECT array_agg(format_type(a, NULL) ORDER BY n)
               FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS x (a, n)), pronargdefaults
           FROM pg_proc AS p JOIN pg_type AS t ON t.oid = p.prorettype WHERE p.pronamespace = %s::regnamespace AND p.proname = %s""",
        [profile, function])
    found = cursor.fetchone()
    if found is None:
        raise Refusal(404, "PGRST202", f"Could not find the function {profile}.{function} without parameters in the schema cache")
    types = dict(zip(found[2] or [], found[5] or [], strict=False))
    given = dict(query) if method in ("GET", "HEAD") else json.loads(body or b"{}")
    arguments = {key: value for key, value in given.items() if key in types} if method in ("GET", "HEAD") else given
    if any(key not in types for key in arguments):
        raise Refusal(404, "PGRST202", f"Could not find the function {profile}.{function}({', '.join(arguments)}) in the schema cache")
    if method not in ("GET", "HEAD") and found[4] != "v":
        pass
    call = ", ".join(f"{name(key)} := %s::{types[key]}" for key in arguments)
    passed = [value if isinstance(value, (str, type(None))) else json.dumps(value) for value in arguments.values()]
    source = f"{profile}.{name(function)}({call})"
    if found[1] != "c" and not (found[2] and len(found[2]) > len(types)):
        # Scalars come as they are, not as objects.
        cursor.execute(f"SELECT coalesce(json_agg(v), '[]')::text FROM (SELECT v FROM {source} AS f (v) LIMIT {server.cap}) AS s", passed)
        text = cursor.fetchone()[0]
        return 200, (text if found[0] else json.dumps(json.loads(text)[0])).encode()
    values = []
    rest = [(key, value) for key, value in query if key not in types or method not in ("GET", "HEAD")]
    where = filters(rest, values)
    return read(server, cursor, source, where, values, rest, preferences, None, method, passed)


def written(server, cursor, method, table, query, preferences, body):
    """An insert, update or delete."""
    values, options = [], dict(query)
    returning = "return=representation" in preferences
    statement = ""
    if method == "POST":
        given = json.loads(body)
        given = given if isinstance(given, list) else [given]
        keys = options["columns"].split(",") if "columns" in options else list(given[0]) if given else []
        if "columns" not in options and any(set(row) != set(keys) for row in given):
            raise Refusal(400, "PGRST102", "All object keys must match")
        columns = ", ".join(name(key) for key in keys)
        statement = f"INSERT INTO {table} AS t ({columns}) SELECT {', '.join('r.' + name(key) for key in keys)} FROM json_populate_recordset(NULL::{table}, %s::json) AS r"
        # The text as it came: a json column keeps it letter for letter.
        values.append(body.decode() if body.lstrip().startswith(b"[") else f"[{body.decode()}]")
        target = f"({', '.join(name(key) for key in options['on_conflict'].split(','))})" if "on_conflict" in options else "(id)"
        if "resolution=ignore-duplicates" in preferences:
            statement += f" ON CONFLICT {target} DO NOTHING"
        elif "resolution=merge-duplicates" in preferences:
            statement += f" ON CONFLICT {target} DO UPDATE SET " + ", ".join(f"{name(key)} = EXCLUDED.{name(key)}" for key in keys)
    elif method == "PATCH":
        given = json.loads(body)
        sets = ", ".join(f"{name(key)} = r.{name(key)}" for key in given)
        where_values = []
        where = filters(query, where_values)
        statement = f"UPDATE {table} AS t SET {sets} FROM json_populate_record(NULL::{table}, %s::json) AS r WHERE {where}"
        values += [body.decode(), *where_values]
    elif method == "DELETE":
        statement = f"DELETE FROM {table} AS t WHERE {filters(query, values)}"
    else:
        raise Refusal(405, "PGRST105", "method")
    if not returning:
        cursor.execute(statement, values)
        status = {"POST": 201}.get(method, 204)
        return status, b"", {"Content-Range": "*/*"}
    cursor.execute(f"WITH t AS ({statement} RETURNING t.*) SELECT coalesce(json_agg(r), '[]')::text FROM (SELECT {selected(query)} FROM t LIMIT {server.cap}) AS r", values)
    text = cursor.fetchone()[0]
    is_merged = method == "POST" and "resolution=merge-duplicates" in preferences
    return 201 if method == "POST" and not is_merged else 200, text.encode(), {"Content-Range": "*/*"}
