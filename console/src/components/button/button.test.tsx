import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Eye } from 'lucide-react';
import { expect, test, vi } from 'vitest';
import { Button, IconButton } from './button.tsx';

test('a button reports clicks and submits nothing by itself [§2.20]', async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  render(
    <form onSubmit={onSubmit}>
      <Button onClick={onClick}>Save</Button>
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onClick).toHaveBeenCalledOnce();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a disabled button is inert [§2.20]', async () => {
  const onClick = vi.fn();
  render(
    <Button disabled onClick={onClick}>
      Save
    </Button>,
  );
  const button = screen.getByRole<HTMLButtonElement>('button');
  await userEvent.click(button);
  expect(button.disabled).toBe(true);
  expect(onClick).not.toHaveBeenCalled();
});

test('a loading button is inert, shows a spinner, is marked as busy and keeps its name [§2.20]', async () => {
  const onClick = vi.fn();
  render(
    <Button loading icon={Eye} onClick={onClick}>
      Save
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.querySelector('.spinner-border')).not.toBeNull();
});

test('a button keeps the focus when it starts to load, also if it is disabled meanwhile [§2.20]', async () => {
  const { rerender } = render(<Button>Save</Button>);
  await userEvent.tab();
  rerender(
    <Button loading disabled>
      Save
    </Button>,
  );
  expect(document.activeElement).toBe(screen.getByRole('button'));
});

test.each([
  ['a button', (props: { spent?: boolean; onClick: () => void }) => <Button {...props}>Save</Button>],
  [
    'an icon button',
    (props: { spent?: boolean; onClick: () => void }) => <IconButton {...props} label="Save" icon={Eye} />,
  ],
])('%s that is spent is inert, looks disabled and keeps the focus [§2.20]', async (_, make) => {
  const onClick = vi.fn();
  const { rerender } = render(make({ onClick }));
  await userEvent.tab();
  rerender(make({ onClick, spent: true }));
  const button = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(button);
  await userEvent.keyboard('{Enter}');
  expect(onClick).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.getAttribute('aria-busy')).toBeNull();
  expect(document.activeElement).toBe(button);
});

test('Enter in a field submits nothing while the submit button loads [§2.20]', async () => {
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const form = (loading: boolean) => (
    <form onSubmit={onSubmit}>
      <input aria-label="Name" />
      <Button type="submit" loading={loading}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(true));
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
  rerender(form(false));
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
  expect(onSubmit).toHaveBeenCalledOnce();
});

test.each([
  [{}, 'btn btn-primary'],
  [{ variant: 'danger', size: 'small' }, 'btn btn-danger btn-sm'],
  [{ variant: 'info', outline: true, size: 'large', block: true }, 'btn btn-outline-info btn-lg btn-block'],
  [{ variant: 'link', outline: true }, 'btn btn-link'],
] as const)('variants and sizes become classes: %o [§9]', (props, classes) => {
  render(<Button {...props}>Save</Button>);
  expect(screen.getByRole('button').className).toBe(classes);
});

test('an icon button has its label as name and tooltip, and exposes whether it is pressed [§2.20]', () => {
  render(<IconButton label="Compact rows" icon={Eye} pressed />);
  const button = screen.getByRole('button', { name: 'Compact rows', pressed: true });
  expect(button.title).toBe('Compact rows');
});

test('a loading icon button is inert and shows a spinner in place of its icon [§2.20]', async () => {
  const onClick = vi.fn();
  render(<IconButton label="View" icon={Eye} loading onClick={onClick} />);
  const button = screen.getByRole('button', { name: 'View' });
  await userEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(button.querySelector('svg')).toBeNull();
  expect(button.querySelector('.spinner-border')).not.toBeNull();
});
