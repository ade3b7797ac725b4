import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { upload } from "../../../platform/console/calls/request.ts";
import { uploadRoomImport } from "./import.contract.ts";

/** Takes a file by click or drop and has it checked; what was found opens beside the list. */
export function Upload({
  villageId,
  onChecked,
}: {
  villageId: number | undefined;
  onChecked: (id: number) => void;
}) {
  const refresh = useRefresh();
  const [name, setName] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const [over, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file || name) return;
    setFailed(undefined);
    if (!/\.xlsx$/i.test(file.name)) return setFailed("请上传xlsx文件");
    if (file.size > 10 * 1024 * 1024) return setFailed("文件大小不能超过10M");
    setName(file.name);
    try {
      const { id } = await upload(uploadRoomImport, {
        files: [file],
        ...(villageId && { fields: { villageId: String(villageId) } }),
      });
      await refresh();
      onChecked(id);
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setName(undefined);
    }
  };
  return (
    <>
      <label
        className={`drop imports__drop ${over ? "drop--over" : ""}`}
        aria-busy={name !== undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        {name ? `正在检查 ${name} …` : "点击或拖入填好的 .xlsx，最多 10,000 行、10M"}
        <input
          className="sr"
          type="file"
          accept=".xlsx"
          disabled={name !== undefined}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
      {failed && (
        <div className="form__alert imports__failed" role="alert">
          <Icon name="warn" />
          {failed}
        </div>
      )}
    </>
  );
}
