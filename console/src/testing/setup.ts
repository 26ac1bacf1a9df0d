import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import '../locales/i18n.ts';

configure({ asyncUtilTimeout: 5_000 });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(cleanup);
