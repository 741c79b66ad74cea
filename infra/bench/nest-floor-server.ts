// Bare Nest: the insert of floor-server.ts, to tell the framework's share, and routes that answer what is known. Environment: as there, and
// FLOOR_ANSWERS.
import 'reflect-metadata';
import { brotliCompressSync } from 'node:zlib';
import { Body, Controller, Get, HttpCode, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Response } from 'express';
import pg from 'pg';
import type { FloorAnswers } from './floor-answers.ts';
import { insertEvent, isSigned } from './floor-event.ts';

const { FLOOR_PORT, DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 32 });

class Events {
  async receive(request: { rawBody: Buffer; headers: Record<string, string> }) {
    if (!isSigned(request.rawBody, request.headers['stripe-signature'] ?? '')) throw new Error('not signed');
    await insertEvent(pool, JSON.parse(request.rawBody.toString()));
    return { received: true };
  }
}
// Node runs these files without compiling them, and knows no decorator syntax.
const receive = Object.getOwnPropertyDescriptor(Events.prototype, 'receive') as PropertyDescriptor;
Post('event')(Events.prototype, 'receive', receive);
HttpCode(200)(Events.prototype, 'receive', receive);
Req()(Events.prototype, 'receive', 0);
Controller()(Events);

const answers = JSON.parse(process.env.FLOOR_ANSWERS ?? '{}') as FloorAnswers;
const [rateAnswer, quoteAnswer] = [answers.rate, answers.quote].map((text) => JSON.parse(text) as object);
const page = brotliCompressSync(answers.page);

/** Routes that answer what is known, with no more than the framework does. */
class Reads {
  rate() {
    return rateAnswer;
  }

  quote(body: { amount?: unknown }) {
    return body.amount === undefined ? {} : quoteAnswer;
  }

  page(response: Response) {
    response.setHeader('Content-Encoding', 'br');
    response.type('html').send(page);
  }
}
const methodOf = (name: keyof Reads) => Object.getOwnPropertyDescriptor(Reads.prototype, name) as PropertyDescriptor;
Get('rate')(Reads.prototype, 'rate', methodOf('rate'));
Post('quote')(Reads.prototype, 'quote', methodOf('quote'));
HttpCode(200)(Reads.prototype, 'quote', methodOf('quote'));
Body()(Reads.prototype, 'quote', 0);
Get('page')(Reads.prototype, 'page', methodOf('page'));
Res()(Reads.prototype, 'page', 0);
Controller()(Reads);

class Floor {}
Module({ controllers: [Events, Reads] })(Floor);

const app = await NestFactory.create(Floor, { rawBody: true, logger: false });
await app.listen(Number(FLOOR_PORT), '127.0.0.1');
console.log('ready');
process.on('SIGTERM', () => process.exit(0));
