import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { resetFailedPages } from '../navigation/lazy-page.tsx';

interface ErrorBoundaryProps {
  /** What to draw in place of what failed. `retry` draws that again, and loads failed chunks again. */
  fallback: (failure: { error: unknown; retry: () => void }) => ReactNode;
  children: ReactNode;
}

interface CatcherProps extends ErrorBoundaryProps {
  /** A new address clears the error. */
  address: string;
}

/** React reports errors of rendering to class components only. */
class Catcher extends Component<CatcherProps, { failure?: { error: unknown } }> {
  override state: { failure?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidUpdate({ address }: CatcherProps, { failure }: { failure?: { error: unknown } }) {
    // An error of this very moment belongs to the new address.
    if (!failure || failure !== this.state.failure || address === this.props.address) return;
    this.drawAnew();
  }

  private readonly drawAnew = () => {
    resetFailedPages();
    this.setState({ failure: undefined });
  };

  override render() {
    const { fallback, children } = this.props;
    return this.state.failure ? fallback({ ...this.state.failure, retry: this.drawAnew }) : children;
  }
}

/** Shows something else in place of what threw or did not load, until the address changes (SPEC §2.1). */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  return <Catcher address={useLocation().key} {...props} />;
}
