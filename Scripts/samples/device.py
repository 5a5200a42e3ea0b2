"""What a device keeps beside the records: memberships, the queue, conflicts, the document tree, offline choices, the audit."""
from .people import profile_id
from .seeded import later, stamp, uuid7


def member(project_id, mail, role, since):
    return {
        "id": uuid7(since, "member", project_id, mail), "project_id": project_id, "profile_id": profile_id(mail), "role": role,
        "created_at": stamp(since),
    }


def queue_item(project_id, operation, entity, row_id, payload, moment, retries=0, error=None):
    """A change that waits to go up, with the row as it stood."""
    return {
        "id": uuid7(moment, "queue", entity, row_id), "project_id": project_id, "operation": operation, "entity_type": entity,
        "entity_id": row_id, "payload_json": payload, "retry_count": retries, "last_error": error, "created_at": stamp(moment),
    }


def conflict(project_id, entity, row, changes, moment):
    """Both sides of a row that was changed here and on the server: never overwritten, kept until somebody decides."""
    local = {key: value for key, value in row.items() if key not in ("syncStatus", "localVersion", "remoteUpdatedAt")}
    remote = dict(local, **changes, updated_at=stamp(moment))
    return {
        "id": uuid7(moment, "conflict", row["id"]), "project_id": project_id, "entity_type": entity, "entity_id": row["id"],
        "local_payload": local, "remote_payload": remote, "detected_at": stamp(later(moment, minutes=4)), "resolution_status": "open",
        "resolved_by": None, "resolved_at": None,
    }


def node(project_id, name, kind, parent, storage_path, author, moment, **states):
    return {
        "id": uuid7(moment, "node", project_id, parent, name), "project_id": project_id, "parent_id": parent, "name": name, "type": kind,
        "storage_path": storage_path, "local_path": None if kind == "folder" else f"documents/{name}", "created_by": profile_id(author),
        "created_at": stamp(moment), "updated_at": stamp(moment), **states,
    }


def offline_choice(mail, device, project_id, mode, status, moment, node_id=None, path=None, error=None):
    """What a user keeps on a device. `sync_status` is this table's own column, in its own spelling."""
    return {
        "id": uuid7(moment, "offline", mail, device, project_id, node_id), "profile_id": profile_id(mail), "device_id": device,
        "project_id": project_id, "document_node_id": node_id, "path": path, "sync_mode": mode, "sync_status": status,
        "last_synced_at": stamp(moment) if status == "synced" else None, "last_error": error,
    }


def log(project_id, mail, action, entity, row_id, details, moment, environment="PROD"):
    return {
        "id": uuid7(moment, "log", action, row_id, str(details)), "project_id": project_id, "actor_id": profile_id(mail),
        "action": action, "entity_type": entity, "entity_id": row_id, "details": details, "environment": environment,
        "created_at": stamp(moment),
    }
