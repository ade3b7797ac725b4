import { useState, type InputHTMLAttributes, type ReactNode } from "react";

type Props = Pick<InputHTMLAttributes<HTMLInputElement>, "id" | "accept" | "multiple"> & {
  onFiles: (files: File[]) => unknown;
  /** Takes nothing now. */
  off?: boolean;
  /** What it took is on its way. */
  busy?: boolean;
  className?: string;
  children: ReactNode;
};

/** Where files are brought, by click or by dropping them. */
export function Drop({ onFiles, off = false, busy, className = "", children, ...input }: Props) {
  const [over, setOver] = useState(false);
  return (
    <label
      className={`drop ${over ? "drop--over" : ""} ${className}`}
      aria-busy={busy}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!off) void onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      <input
        {...input}
        className="sr"
        type="file"
        disabled={off}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          void onFiles(files);
        }}
      />
    </label>
  );
}
