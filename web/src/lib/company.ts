import { useMemo } from 'react';
import { type Company, companyAttribute } from '#core/contracts/company';
import { useHydrated } from './document.ts';

/** Who runs this installation; null until the page is hydrated, and where no api served it (development). */
export function useCompany(): Company | null {
  const hydrated = useHydrated();
  return useMemo(() => {
    const text = hydrated ? document.documentElement.getAttribute(companyAttribute) : null;
    return text?.startsWith('{"') ? (JSON.parse(text) as Company) : null;
  }, [hydrated]);
}
