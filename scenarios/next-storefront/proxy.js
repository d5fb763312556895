import { NextResponse } from 'next/server';

export const config = { matcher: '/account' };

/** Gives a visitor without a session a new one; the page of the same request sees it already. */
export function proxy(request) {
  const response = NextResponse.next();
  if (!request.cookies.has('session')) {
    response.cookies.set('session', crypto.randomUUID(), { httpOnly: true, sameSite: 'lax', path: '/' });
  }
  return response;
}
