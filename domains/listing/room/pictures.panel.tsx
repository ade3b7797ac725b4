import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { fetchFile } from "../../../platform/console/calls/request.ts";
import { FileUpload } from "../../../platform/console/files/upload.tsx";
import { getFile, uploadFile } from "../../system/file/file.contract.ts";
import "./places.css";

/** A stored picture; it needs the token, so it is fetched and shown from memory. */
export function Picture({ id, alt }: { id: number; alt: string }) {
  const { data } = useQuery({
    queryKey: [getFile.path, id],
    queryFn: async ({ signal }) =>
      URL.createObjectURL((await fetchFile(getFile, { params: { id } }, { signal })).blob),
    staleTime: Infinity,
  });
  return data ? <img src={data} alt={alt} /> : <span className="pics__wait" aria-busy="true" />;
}

/** Pictures in their order: added by click or drop, moved by dragging or with the arrows, the first is the cover. */
export function PicturesInput({
  value = [],
  onChange,
  disabled,
  id,
  most = 20,
  cap = 10,
}: InputProps<number[]> & {
  most?: number;
  /** Megabytes that one picture may have. */
  cap?: 2 | 10;
}) {
  const [dragged, setDragged] = useState<number>();
  const move = (from: number, to: number) => {
    if (to < 0 || to >= value.length || from === to) return;
    onChange(value.toSpliced(from, 1).toSpliced(to, 0, value[from]!));
  };
  return (
    <div>
      <ol className="pics">
        {value.map((file, i) => (
          <li
            key={file}
            draggable={!disabled}
            className={dragged === i ? "pics__drag" : ""}
            onDragStart={() => setDragged(i)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) move(dragged, i);
              setDragged(undefined);
            }}
          >
            <Picture id={file} alt={`第 ${i + 1} 张`} />
            {i === 0 && <span className="pics__cover">封面</span>}
            {!disabled && (
              <span className="pics__acts">
                <IconButton
                  icon="left"
                  small
                  size={12}
                  label="前移"
                  why={i === 0 ? "已是第一张" : undefined}
                  run={() => move(i, i - 1)}
                />
                <IconButton
                  icon="right"
                  small
                  size={12}
                  label="后移"
                  why={i === value.length - 1 ? "已是最后一张" : undefined}
                  run={() => move(i, i + 1)}
                />
                <IconButton
                  icon="trash"
                  small
                  size={12}
                  label={`移除第 ${i + 1} 张`}
                  run={() => onChange(value.toSpliced(i, 1))}
                />
              </span>
            )}
          </li>
        ))}
      </ol>
      {disabled && !value.length && <p className="dim">还没有图片</p>}
      {!disabled && value.length < most && (
        <FileUpload
          id={id}
          call={uploadFile}
          purpose={`image${cap}M`}
          accept=".jpg,.jpeg,.png"
          maxBytes={cap * 1024 * 1024}
          maxFiles={most - value.length}
          value={[]}
          onChange={(files) => onChange([...value, ...(files ?? []).map((file) => file.id)])}
        />
      )}
    </div>
  );
}
