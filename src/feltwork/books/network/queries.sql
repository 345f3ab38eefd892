-- name: emit_barrier
-- Something to commit: with a synchronous standby, its commit waits for everything before it too.
SELECT pg_logical_emit_message(true, 'feltwork', '')
