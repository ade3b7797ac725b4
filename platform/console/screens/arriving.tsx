import { Suspense, type ReactNode } from "react";
import { ChunkLost, Fence } from "./load.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Broken } from "../parts/states.tsx";

type Props = {
  children: ReactNode;
  fallback?: ReactNode;
  /** Of what opens over the page: its failure does too, and is closed like it. */
  onClose?: () => void;
};

/**
 * A part of a page whose chunk is loaded by itself. Where a release has replaced the chunk, the notice takes the place of that part
 * alone: what is typed around it stays, and loading anew is left to the person.
 */
export const Arriving = ({ children, fallback = null, onClose }: Props) => (
  <Fence
    broken={(error) => {
      if (!(error instanceof ChunkLost)) throw error;
      const notice = <Broken error={error} retry={() => location.reload()} />;
      return onClose ? (
        <Dialog title="无法打开" onClose={onClose}>
          {notice}
        </Dialog>
      ) : (
        notice
      );
    }}
  >
    <Suspense fallback={fallback}>{children}</Suspense>
  </Fence>
);
