// The least that signing in costs: the check of the password's hash, ten at a time. It answers each request after one check.
import { hash, verify } from '@node-rs/argon2';
import { listen } from './listen.ts';

const password = process.env.PASSWORD ?? '';
const stored = await hash(password);

listen(async (_request, response) => {
  await verify(stored, password);
  response.end();
});
