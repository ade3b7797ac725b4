import { useEffect, useRef, useState } from "react";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { fetchFile } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { getFile } from "../../system/file/file.contract.ts";
import "../record/record.css";

const WIDEST = 1280;

/** The words over and over across the picture, so that no part of it goes without them. */
function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, words: string): void {
  const scale = Math.min(1, WIDEST / picture.width);
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext("2d")!;
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const size = Math.max(14, Math.round(canvas.width / 36));
  pen.font = `${size}px sans-serif`;
  pen.fillStyle = "rgba(200, 0, 0, 0.35)";
  pen.rotate(-Math.PI / 8);
  const step = pen.measureText(words).width + size * 2;
  for (let y = 0; y < canvas.height + canvas.width; y += size * 4)
    for (let x = -canvas.height; x < canvas.width * 1.5; x += step) pen.fillText(words, x, y);
}

/** A picture of a certificate, shown with who looks at it and when, never as it was taken. */
export function PaperView({ id, title, onClose }: { id: number; title: string; onClose: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const name = useOperator()?.name ?? "";
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ shown?: true; error?: unknown }>({});
  useEffect(() => {
    const gone = new AbortController();
    setState({});
    fetchFile(getFile, { params: { id } }, { signal: gone.signal })
      .then(async ({ blob }) => createImageBitmap(blob))
      .then((picture) => {
        if (!canvas.current) return;
        draw(canvas.current, picture, `${name} ${dayInZone(new Date())} 仅供核验`);
        setState({ shown: true });
      })
      .catch((error: unknown) => gone.signal.aborted || setState({ error }));
    return () => gone.abort();
  }, [id, name, round]);
  return (
    <Dialog title={title} width={760} onClose={onClose}>
      {state.error !== undefined && <Broken error={state.error} retry={() => setRound(round + 1)} />}
      {!state.shown && state.error === undefined && <RowsSkeleton rows={4} />}
      <canvas
        ref={canvas}
        role="img"
        aria-label={title}
        className="paper__picture"
        hidden={!state.shown}
        onContextMenu={(event) => event.preventDefault()}
      />
    </Dialog>
  );
}
