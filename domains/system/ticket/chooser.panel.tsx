import { useId } from "react";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import type { PurposeName } from "../file/purposes.rules.ts";
import { capOf, kindsOf } from "./ticket.rules.ts";

const PICTURES = "image/jpeg,image/png";

/** Two ways to a picture: the camera, or what the phone has already. */
export function Chooser({
  purpose,
  left,
  onFiles,
}: {
  purpose: PurposeName;
  left: number;
  onFiles: (files: readonly File[]) => void;
}) {
  const papers = kindsOf(purpose).includes("pdf");
  const off = left <= 0;
  return (
    <>
      <div className="send__ways grid gap-6">
        <Way icon="image" label="拍照" accept={PICTURES} camera off={off} onFiles={onFiles} />
        <Way
          icon={papers ? "file" : "image"}
          label={papers ? "选择图片或PDF" : "从相册选择"}
          accept={papers ? `${PICTURES},application/pdf` : PICTURES}
          many={left > 1}
          off={off}
          onFiles={onFiles}
        />
      </div>
      <p className="send__hint dim">
        {off
          ? "已达上限，请点“完成”"
          : `支持 jpg、jpeg、png${papers ? "、pdf" : ""}，每个不超过 ${capOf(purpose)}，更大的图片会自动缩小`}
      </p>
    </>
  );
}

function Way({
  icon,
  label,
  accept,
  camera,
  many,
  off,
  onFiles,
}: {
  icon: IconName;
  label: string;
  accept: string;
  camera?: boolean;
  many?: boolean;
  off: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const id = useId();
  return (
    <div className="send__way">
      <input
        id={id}
        className="sr"
        type="file"
        accept={accept}
        capture={camera ? "environment" : undefined}
        multiple={many}
        disabled={off}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <label htmlFor={id} aria-disabled={off || undefined}>
        <Icon name={icon} size={20} />
        {label}
      </label>
    </div>
  );
}
