/** A button with an icon in place of words. */

const ICON_PATHS = {
  first: "M4 3v10M13 3v10L6.5 8Z",
  previous: "M11.5 3v10L5 8Z",
  play: "M4.5 2.5v11L13 8Z",
  pause: "M5 3v10M11 3v10",
  next: "M4.5 3v10L11 8Z",
};

interface IconButtonProps {
  icon: keyof typeof ICON_PATHS;
  /** What the button does, for screen readers. */
  label: string;
  isDisabled?: boolean;
  onPress(): void;
}

/** A button that cannot be pressed now keeps the focus, so it is not `disabled`. */
export function IconButton({ icon, label, isDisabled = false, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      class={icon}
      aria-label={label}
      aria-disabled={isDisabled}
      onClick={() => isDisabled || onPress()}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={ICON_PATHS[icon]} />
      </svg>
    </button>
  );
}
