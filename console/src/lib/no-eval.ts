import { config } from 'zod';

// Zod builds faster parsers with `new Function`, which the content security policy forbids. Imported before any schema
// is made.
config({ jitless: true });
