import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { App } from './app.tsx';
import { makeStore } from './state/store.ts';

describe('app', () => {
  it("says 'Loading' until start-up is done, then shows the page [§2.1]", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    render(<App store={makeStore()} starting={promise} />);
    expect(screen.getByText('Loading')).toBeDefined();
    resolve();
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeDefined();
    expect(screen.queryByText('Loading')).toBeNull();
  });

  it('shows an error when start-up failed [§8]', async () => {
    render(<App store={makeStore()} starting={Promise.reject(new Error('no config'))} />);
    expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeDefined();
    expect(screen.getByText(/could not read its settings/)).toBeDefined();
  });
});
