// `npm run configuration`: writes docs/configuration.md, the reference of the settings, from their schema.
import { writeFileSync } from 'node:fs';
import { settingsReference } from '../api/src/settings-reference.ts';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), settingsReference());
