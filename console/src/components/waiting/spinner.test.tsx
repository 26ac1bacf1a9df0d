import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Preloader } from '../display/preloader.tsx';
import { Overlay } from './overlay.tsx';
import { Spinner } from './spinner.tsx';

test.each(['border', 'grow'] as const)('a %s spinner has its type and colour [§9]', (type) => {
  const { container } = render(<Spinner type={type} variant="warning" />);
  expect(container.querySelector(`.spinner-${type}.text-warning`)).not.toBeNull();
});

test('a spinner with a label is read out, one without is not [§2.20]', () => {
  const { rerender } = render(<Spinner />);
  expect(screen.queryByRole('status')).toBeNull();
  rerender(<Spinner label="Cloning" />);
  expect(screen.getByRole('status').textContent).toBe('Cloning');
});

test('the overlay over a page has a name [§2.1]', () => {
  render(<Overlay />);
  expect(screen.getByRole('status').textContent).toBe('Loading');
});

test('the preloader fills the screen with the logo [§2.2]', () => {
  render(<Preloader />);
  const preloader = screen.getByRole('status');
  expect(preloader.classList.contains('preloader')).toBe(true);
  expect(preloader.querySelector('svg.logo')).not.toBeNull();
});
