import { useEffect, useState } from "react";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { fetchFile } from "../../../platform/console/calls/request.ts";

/** A stored picture. It is fetched with the person's token, so it cannot be a plain address. */
export function Picture({
  fileId,
  label,
  className,
}: {
  fileId: number | undefined;
  label: string;
  className?: string;
}) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (fileId === undefined) return;
    const gone = new AbortController();
    let made: string | undefined;
    fetchFile(
      { method: "GET", path: "/system/api/v3/file/:id" },
      { params: { id: fileId } },
      { signal: gone.signal },
    ).then(
      ({ blob }) => setUrl((made = URL.createObjectURL(blob))),
      () => undefined,
    );
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [fileId]);
  return (
    <span className={`rd__pic ${className ?? ""}`}>
      {url ? (
        <img src={url} alt={label} />
      ) : (
        <Icon name="image" size={20} label={fileId ? label : "暂无图片"} />
      )}
    </span>
  );
}
