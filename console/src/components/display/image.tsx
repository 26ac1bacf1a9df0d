import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Spinner } from '../waiting/spinner.tsx';

interface ImageProps {
  src?: string;
  /** Shown when `src` is absent or does not load. */
  fallbackSrc?: string;
  /** Empty for a decorative picture. */
  alt?: string;
  width?: number;
  height?: number;
  rounded?: boolean;
  /** Shown faded. */
  disabled?: boolean;
}

/** A picture that falls back from `src` to `fallbackSrc`, and from there to a built-in placeholder (SPEC §2.20). */
export function Image({ src, fallbackSrc, alt = '', width, height, rounded = false, disabled = false }: ImageProps) {
  // By address, so that a new `src` is tried, and a broken one is not loaded again.
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const [loaded, setLoaded] = useState<string>();
  const shown = [src, fallbackSrc].find((address) => address && !failed.has(address));
  const className = classNames('image', rounded && 'image-rounded', disabled && 'image-disabled');
  const size = { width, height };
  if (shown === undefined) {
    const role = alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt };
    return (
      <span {...role} className={classNames(className, 'image-placeholder')} style={size}>
        <ImageOff className="icon" aria-hidden="true" />
      </span>
    );
  }
  return (
    <span className={className} style={size}>
      {loaded !== shown && <Spinner />}
      <img
        src={shown}
        alt={alt}
        {...size}
        ref={(node) => {
          // A cached picture may have loaded before React listens.
          if (node?.complete && node.naturalWidth > 0) setLoaded(shown);
        }}
        onLoad={() => setLoaded(shown)}
        onError={() => setFailed(new Set([...failed, shown]))}
      />
    </span>
  );
}
