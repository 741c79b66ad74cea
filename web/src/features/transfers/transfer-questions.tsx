import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { QuestionView } from '#core/contracts/http/review-questions';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import type { TransferView } from '#core/contracts/http/transfers';
import { answerMax } from '#core/review/questions';
import { dropDraft, useDraft } from '../../data/drafts.ts';
import { attachToAnswer } from '../../data/files.ts';
import { ownQuestionsQuery, useAnswerQuestion } from '../../data/own-questions.ts';
import { durationText, formatMoment } from '../../lib/format/dates.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import { useNow } from '../../ui/hooks.ts';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { FileList, FilesField, filesProblem, useUploads } from '../shared/files.tsx';
import { QuestionText } from '../shared/question-texts.tsx';

/** What Chasqui asks before it decides, until when an answer helps, and what was answered. It changes live. */
export function TransferQuestions({ transfer }: { transfer: TransferView }) {
  const list = useInfiniteQuery(ownQuestionsQuery(transfer.id));
  const waits = transfer.questions === 'waiting';
  return (
    <Alert
      color={waits ? 'yellow' : 'gray'}
      icon={<IconMessageQuestion aria-hidden />}
      title={waits ? t`Te hicimos una pregunta` : t`Recibimos tu respuesta`}
      data-testid="transfer-questions"
    >
      <Stack gap="md">
        {waits ? (
          <Deadline transfer={transfer} />
        ) : (
          <Text>
            <Trans>La leemos y decidimos sobre tu envío. No tienes que hacer nada más.</Trans>
          </Text>
        )}
        <PagedListView
          query={list}
          loading={<LoadingRows rows={1} height={72} />}
          empty={null}
          moreTestid="questions-more"
        >
          {(questions) => questions.map((one) => <Question key={one.id} transferId={transfer.id} question={one} />)}
        </PagedListView>
      </Stack>
    </Alert>
  );
}

function Deadline({ transfer: { decideBy } }: { transfer: TransferView }) {
  const now = useNow();
  const left = decideBy === null ? '' : durationText(Date.parse(decideBy) - now);
  const until = decideBy && formatMoment(decideBy);
  return (
    <Text data-testid="answer-by">
      <Trans>Sin tu respuesta quizá no podamos aprobar este envío.</Trans>{' '}
      {left && (
        <Trans>
          La reserva en tu tarjeta termina el {until}: quedan {left}. Si no se decide antes, no se cobra nada.
        </Trans>
      )}
    </Text>
  );
}

function Question({ transferId, question }: { transferId: string; question: QuestionView }) {
  const { answer } = question;
  return (
    <Stack gap="xs" data-testid="transfer-question">
      <QuestionText question={question} />
      {answer ? (
        <div>
          <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{answer.text}</Text>
          <FileList files={question.files} route={senderRoutes.ownFile} />
          <Text fz="sm" c="dimmed">
            <Answered at={answer.at} />
          </Text>
        </div>
      ) : (
        <AnswerForm transferId={transferId} question={question} />
      )}
    </Stack>
  );
}

function Answered({ at }: { at: string }) {
  const moment = formatMoment(at);
  return <Trans>Respondiste el {moment}</Trans>;
}

function AnswerForm({ transferId, question }: { transferId: string; question: QuestionView }) {
  const { id: questionId } = question;
  const answer = useAnswerQuestion(transferId, (error) => toastError(t`No se envió tu respuesta`, errorMessage(error)));
  const draft = `answer ${questionId}`;
  const [text, setText] = useDraft(draft, '');
  const [isMissing, setMissing] = useState(false);
  const queryClient = useQueryClient();
  const { files, setFiles, isUploading, uploadAll, status } = useUploads();
  const already = question.files.length;
  const field = useRef<HTMLTextAreaElement>(null);
  const send = async () => {
    if (filesProblem(files, already)) return;
    if (text.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    // The files first: with the answer, admins see them.
    const params = { id: transferId, questionId };
    if (!(await uploadAll((file, control) => attachToAnswer(queryClient, params, file, control)))) {
      if (!field.current)
        toastError(
          t`No se envió tu respuesta`,
          t`La cerraste antes de que terminara de subir el archivo. Lo que escribiste sigue en tu envío.`,
          false,
        );
      return;
    }
    answer.mutate(
      { questionId, text: text.trim() },
      {
        onSuccess: () => {
          dropDraft(draft);
          toastDone(t`Respuesta enviada`, t`La leemos y decidimos sobre tu envío.`);
        },
      },
    );
  };
  return (
    <>
      <Textarea
        ref={field}
        label={t`Tu respuesta`}
        description={t`Nunca escribas aquí tu contraseña ni el número de tu tarjeta.`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setMissing(false);
        }}
        error={isMissing && t`Escribe tu respuesta`}
        maxLength={answerMax}
        autosize
        minRows={2}
        disabled={answer.isPending}
        data-testid="answer-text"
      />
      <FilesField files={files} onChange={setFiles} already={already} disabled={answer.isPending || isUploading} />
      {status}
      <FileList files={question.files} route={senderRoutes.ownFile} />
      {answer.error && (
        <Alert role="alert" color="red" data-testid="answer-refused">
          {errorMessage(answer.error)}
        </Alert>
      )}
      <Group>
        <Button loading={answer.isPending || isUploading} onClick={() => void send()} data-testid="answer-send">
          <Trans>Enviar la respuesta</Trans>
        </Button>
      </Group>
    </>
  );
}
