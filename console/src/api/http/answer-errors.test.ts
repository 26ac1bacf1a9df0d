import { beforeEach, describe, expect, test, vi } from 'vitest';
import { notify } from '../../components/toast/toast.tsx';
import { toApiError } from '../../transport/api-error.ts';
import { failureOf, showError } from './answer-errors.ts';

const shown = vi.fn();
beforeEach(() => {
  shown.mockReset();
  vi.spyOn(notify, 'error').mockImplementation(shown);
});

/** Shows an answer in the form that it has on the wire. */
const showAnswer = (status: number, data: unknown) => showError(toApiError({ status, data }));
const texts = () => shown.mock.calls.map(([text]) => text);

describe('shared error display', () => {
  test('shows one toast per field message, skips the key request, and returns the errors [§8]', () => {
    const errors = {
      code: ['is taken', 'is too long'],
      request: ['The request field is required.'],
      email: ['is bad'],
    };
    expect(showAnswer(400, { message: 'Some fields are not valid.', errors })).toEqual(errors);
    expect(texts()).toEqual(['code: is taken', 'code: is too long', 'email: is bad']);
  });

  test('shows a field that has one text instead of a list [§8]', () => {
    expect(showAnswer(400, { errors: { code: 'is taken' } })).toEqual({ code: ['is taken'] });
    expect(texts()).toEqual(['code: is taken']);
  });

  test.each([
    ['the message first', { message: 'M', title: 'T', result: 'R' }, 'M'],
    ['then the title', { message: '', title: 'T', result: 'R' }, 'T'],
    ['then the result', { result: 'R' }, 'R'],
    ['a result that is no text', { result: { plan: 1 } }, 'something went wrong'],
    ['nothing to show', {}, 'something went wrong'],
    ['no JSON object', 'Bad gateway', 'something went wrong'],
    ['errors that name no field', { message: 'M', errors: { request: ['x'] } }, 'M'],
  ])('%s [§8]', (_which, data, expected) => {
    showAnswer(500, data);
    expect(texts()).toEqual([expected]);
  });

  test.each([429, 503])("a %d shows the server's message [§8]", (status) => {
    showAnswer(status, { status, success: false, message: 'Try again in 30 seconds.', title: 'Wait' });
    expect(texts()).toEqual(['Try again in 30 seconds.']);
  });

  test.each([
    ['FETCH_ERROR', 'The server cannot be reached. Please check your connection and try again.'],
    ['TIMEOUT_ERROR', 'The server took too long to answer. Please try again.'],
  ] as const)('%s has a plain text [§8]', (status, expected) => {
    showError(toApiError({ status, error: 'TypeError: Failed to fetch' }));
    expect(texts()).toEqual([expected]);
  });

  test('PARSING_ERROR has a plain text [§8]', () => {
    showError(toApiError({ status: 'PARSING_ERROR', originalStatus: 502, data: '<html>', error: 'SyntaxError' }));
    expect(texts()).toEqual(["The server's answer could not be read. Please try again."]);
  });

  test.each([[504], ['TIMEOUT_ERROR' as const]])('after %s it may have been done all the same [§8]', (status) => {
    expect(failureOf({ status, message: 'Gateway timeout' })).toEqual({
      text: 'Gateway timeout',
      next: 'It may have been done all the same: the list shows whether it was.',
      canRetry: true,
    });
  });

  test.each([
    [409, 'At least one active Administrator with a password must stay.', undefined],
    [429, 'Try again in 10 seconds.', undefined],
    [503, 'Install the PostgreSQL client programs.', undefined],
    [507, 'Make room on it, then try again.', undefined],
    [403, 'You may not.', 'Somebody who may change roles can give it to you; then retry.'],
    [404, 'There is no such record.', 'Close this, and look at the list: it may have been deleted meanwhile.'],
    [410, 'It is gone.', 'Close this, and look at the list: it may have been deleted meanwhile.'],
    [500, 'Something went wrong.', 'Retry. If it fails again, tell whoever runs the server, with this message.'],
  ])('a next step is added to a %d only where its text cannot say it [§8]', (status, message, next) => {
    expect(failureOf({ status, message }).next).toBe(next);
  });

  test('a call cancelled by the end of the session shows nothing of its own [§8]', () => {
    expect(showError({ name: 'AbortError', message: 'Aborted' })).toBeUndefined();
    expect(texts()).toEqual([]);
  });

  test('an error of the code itself shows no internals [§8]', () => {
    expect(showError(new TypeError('x is undefined'))).toBeUndefined();
    expect(texts()).toEqual(['something went wrong']);
  });
});
