/** What people made of one function of the release: /user/info tells it, the table of screens is changed by it. */
export type Arranged = {
  code: number;
  parentCode: number;
  /** A link to elsewhere, which the table of screens does not know. */
  href: string | null;
  /** As the release calls it; a screen of that title and code takes the new name. */
  releasedName: string;
  name: string;
  icon: string;
  hidden: boolean;
  /** Place among its siblings; null while they stand as released. */
  place: number | null;
};
