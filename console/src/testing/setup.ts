import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import '../locales/pages.ts';

// Only a hang takes longer; the first import of a part of the program is slow on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(cleanup);
