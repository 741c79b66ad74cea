/** The attribute of a page's `<html>` in which the api names the company, as JSON. */
export const companyAttribute = 'data-company';

/** What the build writes there until the api fills it in. */
export const companyPlaceholder = '{{COMPANY}}';

/** Who runs this installation, as the operator configured it (`COMPANY_*`). What is null was not given and is not shown. */
export interface Company {
  /** No card is charged here, so nobody's licence is needed and none is claimed. */
  readonly isDemonstration: boolean;
  readonly name: string | null;
  readonly license: string | null;
  readonly regulator: string | null;
  /** The entry in the regulator's public register. */
  readonly registerUrl: string | null;
  readonly address: string | null;
  /** How customers' money is protected, in both languages. */
  readonly funds: { readonly es: string; readonly en: string } | null;
}
