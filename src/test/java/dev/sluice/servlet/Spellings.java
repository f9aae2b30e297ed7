package dev.sluice.servlet;

import java.util.List;

/** Ways to write a path. A space parts one from the next. */
final class Spellings {

    /** Of {@code /login} and {@code /api/x}, and of their neighbours. */
    static final List<String> PATHS = all("""
            /login /login?x /login?x=/../y /login#x /login/ /login// /login/. /login/x/.. //login ///login
            /./login /././login /.//login //./login /x/../login /x//../login /x/y/../../login /../login
            /x/../../login /login;jsessionid=1 /login; /login;a=b;c=d /;a=b/login /;/login /x;a/..;b/login
            /..;/login /.;a/login /login;a=/../x /%6cogin /%6Cogin /%6c%6f%67%69%6e /log%69n/ /%2e/login
            /%2E/login /x/%2e%2e/login /x/.%2e/login /x/%2E./login /x/%2e%2e;a/login /x/%2e%2e%3ba/login
            /login%2f /%2flogin %2flogin /%2f/login /x%2f..%2flogin /x%2f../login /x/..%2flogin
            /x/%2e%2e%2flogin /x%2F%2e%2e%2Flogin /a%2fb/../login /a%2fb/../../login /.%2flogin /LOGIN
            /login%00 /login%00/ /%00/login /login%3bx /login%3b /login%3fx /login%23 \\login /\\login
            /a\\..\\login /a/..\\login /a%5clogin /%5clogin /a%5c..%5clogin /a/..%5clogin /a%5c../login
            /login%5c /login\\ /%256cogin /x/%252e%252e/login /x%252f..%252flogin /%c0%ae%c0%ae/login
            /x/%c0%ae%c0%ae/login /x%c0%af..%c0%aflogin /log%c1%a9n /login%20 /login%09 /%20login /login%ff
            /%ff/../login /x%ff/../login /x%ff%2f..%2flogin /x%ff%5c..%5clogin /login;%ff /x;%2f/../login
            /x;%2f..%2flogin /x/..;%2flogin /%zz/../login /%u006cogin /login% /login%2 /x%2f%2e%2e%5clogin
            /x%5c..%2flogin /x\\..%2flogin /x%2f..\\login /x%2fy/../..%2flogin /x/y%2f..%2f../login
            /x%2f/../login /x//..%2flogin /+login /lo+gin http://localhost/login http://localhost//login
            HTTP://localhost/login http://localhost/x/../login http://localhost/%6cogin
            http://elsewhere:1/login http://user@localhost/login https://localhost/login
            ftp://localhost/login login * /api/x /api /api/ /api//x /x/../api/y /api/../api/y /%61pi/x
            /api;a/x /api%2fx /api/x%2f..%2f..%2fapi%2fx /api\\x /login/../api/x /api/../login
            /api/..%2flogin /api/%2e%2e%2flogin /api%2f..%2flogin /api/..;/login /api/x/..;/..;/login
            /api/%2e%2e;a/login /api/..%5clogin /API/x
            """);

    /** Of the context path {@code /app}. */
    static final List<String> CONTEXTS = all("""
            /app //app /%61pp /%61%70%70 /./app /%2e/app /x/../app /x/%2e%2e/app /app;v=1 /;v=1/app
            /x;a/../app /app/../app /app/x/../../app /app/%2e%2e/app /app/..;a/app /app/x/..%2f..%2fapp
            /app/x%2f..%2f..%2fapp /app%2f..%2fapp /app/..%5capp /app\\..\\app \\app /x%2f..%2fapp
            /app//..//app /APP /app/.%2e/app http://localhost/app http://localhost/x/../app
            /app/login/../../app
            """);

    /** A few, to stand behind each of those. */
    static final List<String> BEHIND_CONTEXT = all("""
            /login //login /x/../login /login;a /%6cogin /x/..%2flogin %2flogin \\login %5clogin /api/x
            """);

    private Spellings() {}

    private static List<String> all(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }
}
