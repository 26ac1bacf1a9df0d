import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import '../locales/i18n.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(cleanup);
