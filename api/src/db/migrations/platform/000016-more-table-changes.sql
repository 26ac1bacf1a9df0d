-- What the other lists read: their answers have versions too (decision 033).
call track_changes('role_permissions');
call track_changes('clinical_roles');
call track_changes('operations');
call track_changes('audit_entries');
