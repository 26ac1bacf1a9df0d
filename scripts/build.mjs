// `npm run build`: builds the console, as `npm start` does where its sources have changed.
import { ensureConsoleBuilt, ensureInstalled } from './setup.mjs';

ensureInstalled();
ensureConsoleBuilt();
