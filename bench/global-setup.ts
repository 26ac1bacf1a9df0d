export { ensureServerBuilt as setup } from '../scripts/setup.mjs';
