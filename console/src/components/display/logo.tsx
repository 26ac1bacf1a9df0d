/** The product's sign: mortar and pestle in a rounded square, in the accent colour. `size` in px. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="logo-ground" width="32" height="32" rx="7" />
      <path className="logo-pestle" d="m16.5 12.5 4.6-6" />
      <path className="logo-mortar" d="M8 13h16a8 8 0 0 1-5 7.4V22h-6v-1.6A8 8 0 0 1 8 13Z" />
      <path className="logo-foot" d="M11.5 25.5h9" />
    </svg>
  );
}
