import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';

/** Stands in while a page's own file is on its way. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label={t`Cargando`}>
      <Loader />
    </Center>
  );
}
