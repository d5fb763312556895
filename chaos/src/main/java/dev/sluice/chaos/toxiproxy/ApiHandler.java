package dev.sluice.chaos.toxiproxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Carries requests to the API and its answers back. Confined to the API's thread. */
@Sharable
final class ApiHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Api.Answer NO_BROWSERS = new Api.Answer(403, "User agent not allowed");

  private final Api api;

  ApiHandler(Api api) {
    this.api = api;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    Api.Answer answer = answer(request);
    ByteBuf text = Unpooled.copiedBuffer(answer.text(), StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), text);
    boolean json = answer.text().startsWith("{") || answer.text().startsWith("[");
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, json ? "application/json" : "text/plain; charset=utf-8");
    HttpUtil.setContentLength(response, text.readableBytes());
    HttpUtil.setKeepAlive(response, HttpUtil.isKeepAlive(request));
    var written = ctx.writeAndFlush(response);
    if (!HttpUtil.isKeepAlive(request)) {
      written.addListener(done -> ctx.close());
    }
  }

  private Api.Answer answer(FullHttpRequest request) {
    // A page in a browser must not be able to steer it.
    String agent = request.headers().get(HttpHeaderNames.USER_AGENT, "");
    if (agent.toLowerCase(Locale.ROOT).startsWith("mozilla/")) {
      return NO_BROWSERS;
    }
    String path = new QueryStringDecoder(request.uri()).path();
    List<String> parts = Arrays.asList(path.substring(1).split("/", -1));
    String body = request.content().toString(StandardCharsets.UTF_8);
    return api.answer(request.method().name(), parts, body);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
