import { errorText } from '../api/http/answer-errors.ts';
import { unlessForbidden } from '../transport/api-error.ts';

interface ListQuery<Row> {
  data?: Row[] | undefined;
  isLoading: boolean;
  isFetching: boolean;
  error?: { message?: string } | undefined;
  refetch: () => void;
}

/** What a `DataTable` shows of a list's query: its rows, that it is loaded, and why it failed, with Retry. */
export const listProps = <Row>({ data, isLoading, isFetching, error, refetch }: ListQuery<Row>) => ({
  rows: unlessForbidden(data, error),
  isLoading,
  isFetching,
  error: error && errorText(error),
  onRetry: refetch,
});
