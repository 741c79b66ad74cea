import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconCamera, IconPhoto } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { readRecipientQr } from '#core/recipients/qr';
import type { RecipientInput } from '#core/recipients/recipient';
import { decodeQr } from './decode-qr.ts';

/** What came of the last image: words for the person, with what was read of it. */
type Outcome = 'reading' | 'filled' | 'bank_only' | 'other' | 'no_code';

/**
 * Fills the form in from the recipient's QR, by camera or from an image. The image stays on the device. `onRead` gets the fields that
 * the code names, validated as typed ones are.
 */
export function ReadQr({ onRead }: { onRead: (fields: Partial<RecipientInput>) => void }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const take = async (image: File) => {
    setOutcome('reading');
    const text = await decodeQr(image).catch(() => null);
    if (text === null) return setOutcome('no_code');
    const read = readRecipientQr(text);
    if (read.kind === 'fields') onRead(read.fields);
    setOutcome(read.kind === 'fields' ? 'filled' : read.kind);
  };
  return (
    <div>
      <Group gap="xs" h={36} wrap="nowrap">
        <ImageButton label={t`Foto de su QR`} Icon={IconCamera} camera busy={outcome === 'reading'} onTake={take} />
        <ImageButton label={t`Imagen de su QR`} Icon={IconPhoto} busy={outcome === 'reading'} onTake={take} />
      </Group>
      <Text fz="sm" c="dimmed" mt={4} role="status" data-testid="qr-outcome">
        {outcome === 'filled' && <Trans>Completamos lo que dice el QR. Revísalo y escribe lo que falta.</Trans>}
        {outcome === 'bank_only' && <Trans>Este QR solo lo lee la app del banco; escribe los datos.</Trans>}
        {outcome === 'other' && <Trans>Este QR no dice la cuenta; escribe los datos.</Trans>}
        {outcome === 'no_code' && <Trans>No encontramos un QR en la imagen. Prueba con más luz o más cerca.</Trans>}
      </Text>
    </div>
  );
}

interface ImageButtonProps {
  label: string;
  Icon: typeof IconCamera;
  /** Phones open their camera at once, instead of asking where the image comes from. */
  camera?: boolean;
  busy: boolean;
  onTake: (image: File) => Promise<void>;
}

function ImageButton({ label, Icon, camera = false, busy, onTake }: ImageButtonProps) {
  const reset = useRef<() => void>(null);
  const take = (image: File | null) => {
    // The same file can be chosen again.
    if (image) void onTake(image).finally(() => reset.current?.());
  };
  return (
    <FileButton
      accept="image/*"
      onChange={take}
      resetRef={reset}
      {...(camera && { capture: 'environment' })}
      inputProps={{ 'aria-label': label, ...{ 'data-testid': camera ? 'qr-camera' : 'qr-image' } }}
    >
      {(props) => (
        <Button
          {...props}
          size="sm"
          px="xs"
          variant="default"
          leftSection={<Icon size={18} aria-hidden />}
          disabled={busy}
        >
          {label}
        </Button>
      )}
    </FileButton>
  );
}
