import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';
import { ErrorPage } from './error-page.tsx';

function Broken({ message }: { message: string }): never {
  throw new Error(message);
}

function renderBroken(message: string) {
  return render(
    <MemoryRouter>
      <Link to="/fine">fine</Link>
      <ErrorBoundary fallback={({ error }) => <ErrorPage error={error} />}>
        <Routes>
          <Route path="/" element={<Broken message={message} />} />
          <Route path="/fine" element={<p>All is well</p>} />
        </Routes>
      </ErrorBoundary>
    </MemoryRouter>,
  );
}

// React writes every caught error to the console.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('error screen', () => {
  it("has the specification's heading and a link home, and shows no internals [§8]", () => {
    renderBroken('secret detail');
    expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
    expect(screen.queryByText(/secret detail/)).toBeNull();
  });

  it('says so when a chunk of the console did not load [§8]', () => {
    renderBroken('Failed to fetch dynamically imported module: /assets/x.js');
    expect(screen.getByText(/part of the console could not be loaded/)).toBeDefined();
  });

  it('disappears when another page opens [§8]', async () => {
    renderBroken('x');
    await userEvent.click(screen.getByRole('link', { name: 'fine' }));
    expect(screen.getByText('All is well')).toBeDefined();
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
