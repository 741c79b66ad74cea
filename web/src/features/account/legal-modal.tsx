import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type LegalText, legalTexts } from '../../data/legal-texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LegalSections } from '../../ui/legal-sections.tsx';

/** The terms or the privacy policy to read before accepting; closed while `text` is null. */
export function LegalModal({ text, onClose }: { text: LegalText | null; onClose: () => void }) {
  // The text stays while the closing window fades out.
  const [shown, setShown] = useState<LegalText>('terms');
  useEffect(() => {
    if (text) setShown(text);
  }, [text]);
  const { title, sections } = legalTexts()[shown];
  return (
    <Dialog
      opened={text !== null}
      onClose={onClose}
      title={
        <Text className="cq-big" fz="lg">
          {title}
        </Text>
      }
      size="lg"
    >
      <Stack>
        <Text c="dimmed" fz="sm">
          <Trans>Última actualización: 17 de mayo de 2025</Trans>
        </Text>
        <LegalSections sections={sections} />
        <Button onClick={onClose} data-testid="legal-understood">
          <Trans>Entendido</Trans>
        </Button>
      </Stack>
    </Dialog>
  );
}
