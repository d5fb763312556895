package dev.sluice.net;

import dev.sluice.net.PlainHttpListener.Pages;
import dev.sluice.net.PlainHttpListener.Question;
import dev.sluice.net.PlainHttpListener.Reply;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a connection's first request and closes. Confined to the connection's loop. */
final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Logger log = LoggerFactory.getLogger(PageHandler.class);

  private final Pages pages;
  private final Executor worker;
  private boolean asked;

  PageHandler(Pages pages, Executor worker) {
    this.pages = pages;
    this.worker = worker;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (asked) {
      return;
    }
    asked = true;
    boolean head = request.method().equals(HttpMethod.HEAD);
    if (request.decoderResult().isFailure()) {
      send(ctx, PlainHttpListener.plain(400, "The request is malformed.\n"), false);
    } else {
      answer(ctx, question(request, head), head);
    }
  }

  /** No path of ours has an escape, so it is taken as it is. */
  private static Question question(FullHttpRequest request, boolean head) {
    String target = request.uri();
    int mark = target.indexOf('?');
    Map<String, List<String>> fields = new HashMap<>();
    for (Map.Entry<String, String> field : request.headers()) {
      fields
          .computeIfAbsent(field.getKey().toLowerCase(Locale.ROOT), unused -> new ArrayList<>())
          .add(field.getValue());
    }
    return new Question(
        head ? HttpMethod.GET.name() : request.method().name(),
        mark < 0 ? target : target.substring(0, mark),
        mark < 0 ? "" : target.substring(mark + 1),
        fields);
  }

  private void answer(ChannelHandlerContext ctx, Question question, boolean head) {
    if (pages.isInstant(question.path())) {
      send(ctx, make(question), head);
      return;
    }
    try {
      worker.execute(
          () -> {
            Reply reply = make(question);
            ctx.executor().execute(() -> send(ctx, reply, head));
          });
    } catch (RejectedExecutionException e) {
      send(ctx, PlainHttpListener.plain(503, "Too many pages are asked for.\n"), head);
    }
  }

  private Reply make(Question question) {
    try {
      return pages.answer(question);
    } catch (RuntimeException e) {
      log.error("page {} failed", question.path(), e);
      return PlainHttpListener.plain(500, "The page failed; see the log.\n");
    }
  }

  private static void send(ChannelHandlerContext ctx, Reply reply, boolean head) {
    var response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(reply.status()),
            head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(reply.body()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
    reply.fields().forEach((name, value) -> response.headers().set(name, value));
    ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    log.debug("operator connection ended: {}", cause.toString());
    ctx.close();
  }
}
