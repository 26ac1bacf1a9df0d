import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Checkbox } from './checkbox.tsx';

test('a click on the label ticks the box [§2.20]', async () => {
  render(<Checkbox label="Remember Me" />);
  await userEvent.click(screen.getByText('Remember Me'));
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Remember Me' }).checked).toBe(true);
});

test('a box can be indeterminate, and its ref reaches the input [§2.8]', () => {
  const seen: (HTMLInputElement | null)[] = [];
  const ref = (node: HTMLInputElement | null) => {
    seen.push(node);
  };
  const { rerender } = render(<Checkbox label="Check All / None" indeterminate ref={ref} />);
  const box = screen.getByRole<HTMLInputElement>('checkbox');
  expect(box.indeterminate).toBe(true);
  expect(seen).toContain(box);
  rerender(<Checkbox label="Check All / None" ref={ref} />);
  expect(box.indeterminate).toBe(false);
});
