import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Image } from './image.tsx';

const shownAddress = () => screen.queryByRole('img', { name: 'Ada' })?.getAttribute('src');
const hasSpinner = () => document.querySelector('.spinner-border') !== null;

function failShown() {
  fireEvent.error(screen.getByRole('img', { name: 'Ada' }));
}

test('shows a spinner until the picture is loaded [§2.20]', () => {
  render(<Image src="/ada.png" alt="Ada" />);
  expect(hasSpinner()).toBe(true);
  fireEvent.load(screen.getByRole('img', { name: 'Ada' }));
  expect(hasSpinner()).toBe(false);
  expect(shownAddress()).toBe('/ada.png');
});

test('falls back from src to fallbackSrc to the built-in placeholder [§2.20]', () => {
  render(<Image src="/ada.png" fallbackSrc="/default.png" alt="Ada" />);
  expect(shownAddress()).toBe('/ada.png');
  failShown();
  expect(shownAddress()).toBe('/default.png');
  expect(hasSpinner()).toBe(true);
  failShown();
  expect(shownAddress()).toBeNull();
  expect(hasSpinner()).toBe(false);
  expect(screen.getByRole('img', { name: 'Ada' }).querySelector('svg')).not.toBeNull();
});

test('shows the fallback at once without src, and the placeholder with neither [§2.20]', () => {
  const { rerender } = render(<Image fallbackSrc="/default.png" alt="Ada" />);
  expect(shownAddress()).toBe('/default.png');
  rerender(<Image alt="Ada" />);
  expect(shownAddress()).toBeNull();
});

test('remembers failures by address: a new src is tried, a broken one not again [§2.20]', () => {
  const { rerender } = render(<Image src="/broken.png" fallbackSrc="/default.png" alt="Ada" />);
  failShown();
  rerender(<Image src="/new.png" fallbackSrc="/default.png" alt="Ada" />);
  expect(shownAddress()).toBe('/new.png');
  rerender(<Image src="/broken.png" fallbackSrc="/default.png" alt="Ada" />);
  expect(shownAddress()).toBe('/default.png');
});

test('a decorative placeholder is hidden from screen readers [§2.20]', () => {
  render(<Image />);
  expect(screen.queryByRole('img')).toBeNull();
});
