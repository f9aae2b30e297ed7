package dev.sluice.servlet;

class TomcatSpellingTest extends SpellingContract {

    TomcatSpellingTest() {
        super(TomcatServer::start);
    }
}
