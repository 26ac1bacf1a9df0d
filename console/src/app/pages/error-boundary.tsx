import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { forgetLostPages } from '../lazy-page.tsx';
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

  override componentDidUpdate({ address }: CatcherProps, { failure }: { failure?: { error: unknown } }) {
    // One that has come just now belongs to the new address.
    if (!failure || failure !== this.state.failure || address === this.props.address) return;
    forgetLostPages();
    this.setState({ failure: undefined });
  }

  override render() {
    return this.state.failure ? <ErrorPage error={this.state.failure.error} /> : this.props.children;
  }
}

/** The router's fallback: shows the error screen in place of a page that broke or did not load (SPEC §2.1). */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Catcher address={useLocation().key}>{children}</Catcher>;
}
