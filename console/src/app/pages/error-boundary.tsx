import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { ErrorPage } from './error-page.tsx';

interface CatcherProps {
  /** Going to another one leaves the error behind. */
  address: string;
  children: ReactNode;
}

/** React reports what broke while drawing to class components only. */
class Catcher extends Component<CatcherProps, { failure?: { error: unknown } }> {
  override state: { failure?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidUpdate({ address }: CatcherProps) {
    if (this.state.failure && address !== this.props.address) this.setState({ failure: undefined });
  }

  override render() {
    return this.state.failure ? <ErrorPage error={this.state.failure.error} /> : this.props.children;
  }
}

/** The router's fallback: shows the error screen in place of a page that broke or did not load (SPEC §2.1). */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Catcher address={useLocation().key}>{children}</Catcher>;
}
