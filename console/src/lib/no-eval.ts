import { config } from 'zod';

// zod writes faster parsers with `new Function`; the content security policy forbids it, so it should not try. Imported
// before any schema is made.
config({ jitless: true });
