import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { forgetLostPages } from '../navigation/lazy-page.tsx';

interface ErrorBoundaryProps {
  /** What stands in the place of what broke. `retry` draws that anew, with chunks that are asked for again. */
  fallback: (failure: { error: unknown; retry: () => void }) => ReactNode;
  children: ReactNode;
}

interface CatcherProps extends ErrorBoundaryProps {
  /** Going to another one leaves the error behind. */
  address: string;
}

/** React reports what broke while drawing to class components only. */
class Catcher extends Component<CatcherProps, { failure?: { error: unknown } }> {
  override state: { failure?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidUpdate({ address }: CatcherProps, { failure }: { failure?: { error: unknown } }) {
    // One that has come just now belongs to the new address.
    if (!failure || failure !== this.state.failure || address === this.props.address) return;
    this.drawAnew();
  }

  private readonly drawAnew = () => {
    forgetLostPages();
    this.setState({ failure: undefined });
  };

  override render() {
    const { fallback, children } = this.props;
    return this.state.failure ? fallback({ ...this.state.failure, retry: this.drawAnew }) : children;
  }
}

/** Shows something else in the place of what broke or did not load, until another address is gone to (SPEC §2.1). */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  return <Catcher address={useLocation().key} {...props} />;
}
