-- Everything of the schema but the months of its partitions: columns, tables, functions, triggers, constraints, indexes.
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl::text
  FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
 WHERE c.relnamespace = 'books'::regnamespace AND a.attnum > 0 AND NOT c.relispartition;
SELECT relname, relacl::text, reloptions::text, pg_get_userbyid(relowner)
  FROM pg_class
 WHERE relnamespace = 'books'::regnamespace AND (NOT relispartition OR relname ^@ 'round_other' OR relname = 'entry_other');
SELECT oid::regprocedure::text, prosrc, proacl::text, prosecdef FROM pg_proc WHERE pronamespace = 'books'::regnamespace;
SELECT t.tgrelid::regclass::text, t.tgname, t.tgenabled
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
 WHERE c.relnamespace = 'books'::regnamespace AND NOT t.tgisinternal AND NOT c.relispartition;
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'books'::regnamespace AND conparentid = 0;
SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
 WHERE c.relnamespace = 'books'::regnamespace AND NOT c.relispartition
