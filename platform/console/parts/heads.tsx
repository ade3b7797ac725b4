/** A head, or one with the class it is written in, such as `["月租金", "num"]`; what is false is left out. */
type Head = string | readonly [title: string, look: string] | false | undefined;

/** The heads of a table that a page lays out by itself. */
export const Heads = ({ of }: { of: readonly Head[] }) => (
  <thead>
    <tr>
      {of.map((head) => {
        if (!head) return null;
        const [title, look] = typeof head === "string" ? [head] : head;
        return (
          <th key={title} className={look}>
            {title}
          </th>
        );
      })}
    </tr>
  </thead>
);
