import { Icon } from "../parts/icons.tsx";
import { openFile } from "../files/upload.tsx";

type PapersProps = {
  files: readonly { id: number; name: string; type: string }[];
  pathOf?: (fileId: number) => string;
};

/** Files of a record, each opened in a new window. `pathOf` names the call of a file that is read through its record. */
export const Papers = ({ files, pathOf = (id) => `/system/api/v3/file/${id}` }: PapersProps) => (
  <ul className="files">
    {files.map((file) => (
      <li key={file.id} className="files__one">
        <Icon name={file.type.startsWith("image/") ? "image" : "file"} size={14} />
        <button type="button" className="linkish cut" onClick={() => void openFile(pathOf(file.id))}>
          {file.name}
        </button>
      </li>
    ))}
    {!files.length && <li className="dim">没有附件</li>}
  </ul>
);
